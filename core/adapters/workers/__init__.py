"""Work in child processes: hostile or heavy work that may hang, grow or die without taking the program along."""
