"""The e-mails of the sample workspace."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mail:
    """date: ISO date and time in UTC. attachments: name and text of each."""

    file: str
    sender: str
    to: str
    subject: str
    date: str
    text: str
    attachments: tuple[tuple[str, str], ...] = ()


DESK = "Northside Clinic <desk@northside.example>"

MAILS = (
    Mail(
        "Lindenhof Pharmacy, delivery.eml",
        "Lindenhof Pharmacy <orders@lindenhof.example>",
        DESK,
        "Delivery note LP-90412 and what is missing",
        "2026-04-14T09:12:00",
        """Dear Mr Kowalski,

your order of 10 April goes out with tomorrow's van, delivery note LP-90412.

Two things are missing: the tetanus vaccine comes next week, and the bandages of 8 cm are not made any more. We
put in the ones of 10 cm at the same price. If you don't want them, give them back to the driver.

The list is attached.

Kind regards
Irene Vogt
Lindenhof Pharmacy, 555 0176
""",
        (
            (
                "LP-90412.csv",
                "Article,Ordered,Sent\nGauze 10 cm,40,40\nBandage 8 cm,24,0\nBandage 10 cm,0,24\n"
                "Tetanus vaccine,10,0\nSaline 500 ml,12,12\nGloves M,8,8\n",
            ),
        ),
    ),
    Mail(
        "Mrs Adler, appointment in the morning.eml",
        "Ruth Adler <ruth.adler@post.example>",
        DESK,
        "My appointment on Thursday",
        "2026-04-20T18:40:00",
        """Good evening,

you gave me Thursday at 17:20. In the afternoon my knees are bad and the taxi is dear. Could I come in the
morning, as always? Any day but Monday.

I come to the north door, please have somebody open it for me. The chair is wider than the old one: 71 centimetres.

Thank you
Ruth Adler
""",
    ),
    Mail(
        "Lift company, repair.eml",
        "Haldin Lifts, Service <service@haldin.example>",
        DESK,
        "Repair of your lift, order 55-2081-K",
        "2026-04-16T13:05:00",
        """Dear Mr Brandt,

thank you for your order 55-2081-K. Our fitter, Mr Janusz Zieliński, comes on 23 April between 7:30 and 10:00. He
replaces the door contact on the second floor and adjusts the brake. During that time the lift stands still.

Price as agreed: 640.00 EUR plus VAT. The control itself is from 1987; for a new one see our offer of last October.

Best regards
Haldin Lifts
""",
    ),
    Mail(
        "Cabinet Aubry, rendez-vous.eml",
        "Secrétariat du Dr Hélène Aubry <secretariat@aubry.example>",
        DESK,
        "Rendez-vous de M. Lefèvre, patient adressé par vous",
        "2026-05-06T07:55:00",
        """Bonjour,

nous avons bien reçu votre lettre pour M. Émile Lefèvre. Un rendez-vous est libre le 11 juin 2026 à 9 h 40, parce
qu'un autre patient s'est désisté. Sinon, il faut compter neuf semaines.

Merci de nous dire avant vendredi si cela lui convient. Il ne doit pas conduire après l'examen, on lui mettra des
gouttes dans les yeux.

Cordialement
Le secrétariat
""",
    ),
    Mail(
        "Health insurance, returned invoice.eml",
        "Meridian Health Insurance <claims@meridian.example>",
        DESK,
        "Invoice 2026-1184 returned",
        "2026-05-19T10:31:00",
        """Dear Sir or Madam,

we return your invoice 2026-1184 of 8 May over 127.40 EUR. The insurance number of Mr Çelik has one digit too few.
Please correct it and send the invoice again within 30 days, quoting case MH-7730914.

This is an automatic message.
""",
    ),
)
