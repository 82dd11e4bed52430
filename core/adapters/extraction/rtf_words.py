"""What the control words of RTF mean for the text (RTF specification 1.9.1)."""

LETTERS = {
    "tab": "\t",
    "line": "\n",
    "lbr": "\n",
    "emdash": "\u2014",
    "endash": "\u2013",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "bullet": "\u2022",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "nestcell": " | ",
    "nestrow": "\n",
    "zwj": "\u200d",
    "zwnj": "\u200c",
    "ltrmark": "\u200e",
    "rtlmark": "\u200f",
}
SIGNS = {"~": "\xa0", "_": "-", "\\": "\\", "{": "{", "}": "}", "\n": "\n", "\r": "\n"}
PARAGRAPH_ENDS = ("par", "sect", "page", "column", "softpage")

# Groups whose text nobody sees.
UNSEEN = frozenset(
    (
        *("fonttbl", "colortbl", "stylesheet", "info", "pict", "nonshppict", "listtable", "listoverridetable"),
        *("rsidtbl", "generator", "xmlnstbl", "filetbl", "revtbl", "sp", "sn", "sv", "object", "objdata", "fldinst"),
        *(
            "bkmkstart",
            "bkmkend",
            "xe",
            "tc",
            "rxe",
            "txe",
            "themedata",
            "datastore",
            "colorschememapping",
            "nonesttables",
        ),
        *("latentstyles", "pgdsctbl", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "userprops"),
        *(
            "template",
            "private",
            "falt",
            "panose",
            "background",
            "keywords",
            "docvar",
            "mmathPr",
            "atrfstart",
            "atrfend",
        ),
        *(
            "atnid",
            "atndate",
            "atnref",
            "atntime",
            "atnparent",
            "atnicn",
            "wgrffmtfilter",
            "pntxta",
            "pntxtb",
            "htmltag",
        ),
        *("formfield", "ffname", "ffdeftext", "ffl", "ffformat", "ffhelptext", "ffstattext", "ffentrymcr", "ffexitmcr"),
    )
)
# Marked as groups that old readers may pass over, and with text that is seen.
SEEN_IN_SPITE = frozenset(
    (
        *("shpinst", "ud", "do", "moMath", "moMathPara", "mmath", "moMathParaPr", "footnote", "annotation"),
        *("shptxt", "dptxbxtext", "fldrslt", "result", "atnauthor"),
    )
)
# Groups that stand beside the text: where their words go.
BESIDE = {
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "Header"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "Footer"),
    "footnote": "Footnotes",
    "annotation": "Comments",
    "atnauthor": "Comments",
    "shptxt": "Text boxes",
    "dptxbxtext": "Text boxes",
}

# \fcharset: the charset of a font. 1 (default) and 2 (symbols) are not here.
FONT_CHARSETS = {
    0: "cp1252",
    77: "mac_roman",
    78: "cp932",
    79: "cp949",
    80: "gb18030",
    81: "big5hkscs",
    85: "mac_greek",
    86: "mac_turkish",
    88: "mac_latin2",
    89: "mac_cyrillic",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "big5hkscs",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
SYMBOLS = 2
