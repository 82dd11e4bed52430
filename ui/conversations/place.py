"""Conversations, as a place of the window."""

from ui.commands.place import Place
from ui.conversations.view import ConversationsView

PLACE = Place(
    id="conversations",
    title="Conversations",
    icon="message-circle",
    section="Memory",
    technical="Conversation scope: sessions and their messages",
    build=ConversationsView,
    rows=lambda workspace: workspace.sessions,
    kinds=frozenset({"session"}),
)
