import { HTML, mail, PLAIN, type Sample } from './sample.ts'

const NEW = 'It works now.\n\nThank you!'
const OLD = ['-- Reply above this line --', '', 'Could you try 4 GiB?', '', 'Support'].join('\n')
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
/** Some programs do not mark quoted lines, and a bridge may have removed our marker line. */
const BARE = 'Could you try 4 GiB?\n\nSupport'
const DESK = 'Support <support+T-000001.abc@desk.example.com>'

/** The line that Gmail writes above a quote, by the language of its user. */
const GMAIL: readonly (readonly [language: string, head: string])[] = [
  ['English', `On Mon, Nov 16, 2026 at 10:00 AM ${DESK}\nwrote:`],
  ['British', `On Mon, 16 Nov 2026 at 10:00, ${DESK}\nwrote:`],
  ['German', `Am Mo., 16. Nov. 2026 um 10:00 Uhr schrieb ${DESK}:`],
  ['French', `Le lun. 16 nov. 2026 à 10:00, ${DESK} a\nécrit\u00a0:`],
  ['Spanish', `El lun, 16 nov 2026 a las 10:00, ${DESK}\nescribió:`],
  ['Italian', `Il giorno lun 16 nov 2026 alle ore 10:00 ${DESK}\nha scritto:`],
  ['Dutch', `Op ma 16 nov 2026 om 10:00 schreef ${DESK}:`],
  ['Portuguese', `Em seg., 16 de nov. de 2026 às 10:00, ${DESK}\nescreveu:`],
  ['Swedish', `Den mån 16 nov. 2026 kl 10:00 skrev ${DESK}:`],
  ['Danish', `Den man. 16. nov. 2026 kl. 10.00 skrev ${DESK}:`],
  ['Norwegian', `man. 16. nov. 2026 kl. 10:00 skrev ${DESK}:`],
  ['Finnish', `ma 16. marrask. 2026 klo 10.00 ${DESK}\nkirjoitti:`],
  ['Polish', `pon., 16 lis 2026 o 10:00 ${DESK}\nnapisał(a):`],
  ['Czech', `po 16. 11. 2026 v 10:00 odesílatel ${DESK}\nnapsal:`],
  ['Slovak', `po 16. 11. 2026 o 10:00 ${DESK}\nnapísal(a):`],
  ['Hungarian', `${DESK} ezt írta\n(időpont: 2026. nov. 16., H, 10:00):`],
  ['Romanian', `În lun., 16 nov. 2026 la 10:00, ${DESK} a\nscris:`],
  ['Greek', `Στις Δευ 16 Νοε 2026 στις 10:00 π.μ., ο χρήστης ${DESK} έγραψε:`],
  ['Russian', `пн, 16 нояб. 2026 г. в 10:00, ${DESK}:`],
  ['Ukrainian', `пн, 16 лист. 2026 р. о 10:00 ${DESK} пише:`],
  ['Bulgarian', `На пн, 16.11.2026 г. в 10:00 ${DESK} написа:`],
  ['Turkish', `${DESK}, 16 Kas 2026 Pzt, 10:00\ntarihinde şunu yazdı:`],
  ['Chinese', `${DESK} 于2026年11月16日周一 10:00写道：`],
  ['Taiwanese', `${DESK} 於 2026年11月16日 週一 上午10:00寫道：`],
  ['Japanese', `2026年11月16日(月) 10:00 ${DESK}:`],
  ['Korean', `2026년 11월 16일 (월) 오전 10:00, ${DESK}님이 작성:`],
  ['Indonesian', `Pada tanggal Sen, 16 Nov 2026 pukul 10.00 ${DESK}\nmenulis:`],
  ['Vietnamese', `Vào Th 2, 16 thg 11, 2026 vào lúc 10:00 ${DESK} đã viết:`],
  ['Catalan', `Missatge de ${DESK} del dia\ndl., 16 de nov. 2026 a les 10:00 va escriure:`],
]

/** The lines that other programs write above a quote whose lines they mark. */
const MARKED: readonly (readonly [program: string, head: string])[] = [
  ['Thunderbird', 'On 11/16/26 10:00, Support wrote:'],
  ['Thunderbird in German', 'Am 16.11.26 um 10:00 schrieb Support:'],
  ['Thunderbird in French', 'Le 16/11/2026 à 10:00, Support a écrit\u00a0:'],
  ['Thunderbird in Italian', 'Il 16/11/2026 10:00, Support ha scritto:'],
  ['Thunderbird in Spanish', 'El 16/11/26 a las 10:00, Support escribió:'],
  ['Thunderbird in Polish', 'W dniu 16.11.2026 o 10:00, Support pisze:'],
  ['Thunderbird in Dutch', 'Op 16-11-2026 om 10:00 schreef Support:'],
  ['Thunderbird in Swedish', 'Den 2026-11-16 kl. 10:00, skrev Support:'],
  ['Thunderbird in Russian', '16.11.2026 10:00, Support пишет:'],
  ['Thunderbird in Czech', 'Dne 16. 11. 26 v 10:00 Support napsal(a):'],
  ['Mutt', 'On Mon, Nov 16, 2026 at 10:00:00AM +0100, Support wrote:'],
  ['Gnus', 'On Mon, Nov 16 2026, Support wrote:'],
  ['Evolution', 'On Mon, 2026-11-16 at 10:00 +0100, Support wrote:'],
  ['KMail', 'On Monday, 16 November 2026 10:00:00 CET Support wrote:'],
  ['KMail in German', 'Am Montag, 16. November 2026, 10:00:00 CET schrieb Support:'],
  ['Claws Mail', 'On Mon, 16 Nov 2026 10:00:00 +0100\nSupport <support@desk.example.com> wrote:'],
  ['Roundcube', 'On 2026-11-16 10:00, Support wrote:'],
  ['Roundcube in German', 'Am 16.11.2026 10:00, schrieb Support:'],
  ['Proton', `On Monday, November 16th, 2026 at 10:00 AM, ${DESK} wrote:`],
  ['Fastmail', 'On Mon, Nov 16, 2026, at 10:00 AM, Support wrote:'],
  ['Yahoo', `    On Monday, November 16, 2026 at 10:00:00 AM GMT+1, ${DESK} wrote:  `],
  ['K-9 Mail', `Am 16. November 2026 10:00:00 MEZ schrieb ${DESK}:`],
  ['FairEmail', `Nov 16, 2026 10:00:00 Support <support@desk.example.com> wrote:`],
  ['Apple Mail', '> On 16. Nov 2026, at 10:00, Support <support@desk.example.com> wrote:\n> '],
  [
    'Apple Mail in German',
    '> Am 16.11.2026 um 10:00 schrieb Support <support@desk.example.com>:\n> ',
  ],
  ['HCL Notes', 'Support <support@desk.example.com> wrote on 16.11.2026 10:00:00:'],
  [
    'Zoho',
    '---- On Mon, 16 Nov 2026 10:00:00 +0100 Support <support@desk.example.com> wrote ---- :',
  ],
  ['a program without a head', ''],
]

/** Quotes without marked lines: only the line above tells where they begin. */
const UNMARKED: readonly (readonly [program: string, head: string])[] = [
  [
    'Outlook',
    '-----Original Message-----\nFrom: Support <support@desk.example.com> \nSent: Monday, November 16, 2026 10:00 AM\nTo: Ann Example <ann@example.org>\nSubject: My server stops\n',
  ],
  [
    'Outlook in German',
    '-----Ursprüngliche Nachricht-----\nVon: Support <support@desk.example.com> \nGesendet: Montag, 16. November 2026 10:00\nAn: Ann Example <ann@example.org>\nBetreff: My server stops\n',
  ],
  [
    'Outlook of today',
    'From: Support <support@desk.example.com>\nDate: Monday, November 16, 2026 at 10:00 AM\nTo: Ann Example <ann@example.org>\nSubject: My server stops\n',
  ],
  [
    'Outlook of today in German',
    'Von: Support <support@desk.example.com>\nGesendet: Montag, 16. November 2026 10:00\nAn: Ann Example <ann@example.org>\nBetreff: My server stops\n',
  ],
  [
    'Outlook in French',
    'De : Support <support@desk.example.com>\nEnvoyé : lundi 16 novembre 2026 10:00\nÀ : Ann Example <ann@example.org>\nObjet : My server stops\n',
  ],
  [
    'Outlook in Spanish',
    'De: Support <support@desk.example.com>\nEnviado el: lunes, 16 de noviembre de 2026 10:00\nPara: Ann Example <ann@example.org>\nAsunto: My server stops\n',
  ],
  [
    'Outlook in Italian',
    'Da: Support <support@desk.example.com>\nInviato: lunedì 16 novembre 2026 10:00\nA: Ann Example <ann@example.org>\nOggetto: My server stops\n',
  ],
  [
    'Outlook in Dutch',
    'Van: Support <support@desk.example.com>\nVerzonden: maandag 16 november 2026 10:00\nAan: Ann Example <ann@example.org>\nOnderwerp: My server stops\n',
  ],
  [
    'Outlook in Polish',
    'Od: Support <support@desk.example.com>\nWysłano: poniedziałek, 16 listopada 2026 10:00\nDo: Ann Example <ann@example.org>\nTemat: My server stops\n',
  ],
  [
    'Outlook in Portuguese',
    'De: Support <support@desk.example.com>\nEnviada em: segunda-feira, 16 de novembro de 2026 10:00\nPara: Ann Example <ann@example.org>\nAssunto: My server stops\n',
  ],
  [
    'Outlook in Swedish',
    'Från: Support <support@desk.example.com>\nSkickat: den 16 november 2026 10:00\nTill: Ann Example <ann@example.org>\nÄmne: My server stops\n',
  ],
  [
    'Outlook in Danish',
    'Fra: Support <support@desk.example.com>\nSendt: 16. november 2026 10:00\nTil: Ann Example <ann@example.org>\nEmne: My server stops\n',
  ],
  [
    'Outlook in Russian',
    'От: Support <support@desk.example.com>\nОтправлено: 16 ноября 2026 г. 10:00\nКому: Ann Example <ann@example.org>\nТема: My server stops\n',
  ],
  [
    'Outlook in Turkish',
    'Kimden: Support <support@desk.example.com>\nGönderilme: 16 Kasım 2026 Pazartesi 10:00\nKime: Ann Example <ann@example.org>\nKonu: My server stops\n',
  ],
  [
    'Outlook in Chinese',
    '发件人: Support <support@desk.example.com>\n发送时间: 2026年11月16日 10:00\n收件人: Ann Example <ann@example.org>\n主题: My server stops\n',
  ],
  [
    'Outlook in Japanese',
    '差出人: Support <support@desk.example.com>\n送信日時: 2026年11月16日 10:00\n宛先: Ann Example <ann@example.org>\n件名: My server stops\n',
  ],
  [
    'Outlook on a phone',
    `Get Outlook for iOS<https://aka.ms/o0ukef>\n${'_'.repeat(32)}\nFrom: Support <support@desk.example.com>\nSent: Monday, November 16, 2026 10:00:00 AM\nTo: Ann Example <ann@example.org>\nSubject: My server stops\n`,
  ],
  [
    'Outlook on the web with bold names',
    '*From:* Support <support@desk.example.com>\n*Sent:* Monday, November 16, 2026 10:00 AM\n*To:* Ann Example <ann@example.org>\n*Subject:* My server stops\n',
  ],
  [
    'GMX and WEB.DE',
    'Gesendet: Montag, 16. November 2026 um 10:00 Uhr\nVon: Support <support@desk.example.com>\nAn: ann@example.org\nBetreff: My server stops\n',
  ],
  [
    'a Samsung phone',
    '-------- Original message --------\nFrom: Support <support@desk.example.com> \nDate: 16/11/2026  10:00  (GMT+01:00) \nTo: ann@example.org \nSubject: My server stops \n',
  ],
  [
    'a Samsung phone in German',
    '-------- Ursprüngliche Nachricht --------\nVon: Support <support@desk.example.com> \nDatum: 16.11.26  10:00  (GMT+01:00) \nAn: ann@example.org \nBetreff: My server stops \n',
  ],
  [
    'Zimbra',
    '----- Original Message -----\nFrom: "Support" <support@desk.example.com>\nTo: "Ann Example" <ann@example.org>\nSent: Monday, November 16, 2026 10:00:00 AM\nSubject: My server stops\n',
  ],
  [
    'Zimbra in French',
    '----- Mail original -----\nDe: "Support" <support@desk.example.com>\nÀ: "Ann Example" <ann@example.org>\nEnvoyé: Lundi 16 Novembre 2026 10:00:00\nObjet: My server stops\n',
  ],
  ['Proton of some years ago', '‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐\n'],
  ['Opera Mail in Dutch', '----- Oorspronkelijk bericht -----\n'],
  ['a program in Finnish', '-----Alkuperäinen viesti-----\n'],
  ['a program in Hungarian', '-----Eredeti üzenet-----\n'],
  ['a program in Czech', '---------- Původní zpráva ----------\n'],
]

const of = (what: string, text: string, kept: string): Sample => ({
  ...{ what, raw: mail(PLAIN, text), text: kept },
})

const INLINE = [
  ...['Hello,', '', `On Mon, 16 Nov 2026 at 10:00, ${DESK}`, 'wrote:', '', '> Which version?', ''],
  ...['1.21', '', '> Which plugins?', '', 'None'],
].join('\n')

/** The sender's own words that only look like lines of a program. */
const OWN: readonly (readonly [what: string, text: string])[] = [
  [
    'a crash report',
    '---- Minecraft Crash Report ----\n// Oops.\n\nTime: 2026-11-16 10:00:05\nDescription: Exception',
  ],
  [
    'a log with rules',
    `It prints:\n${'_'.repeat(40)}\nLoading world\n${'_'.repeat(40)}\nand stops`,
  ],
  [
    'a line with a colon',
    'On my server 10:00 is when it stops, and the log says:\nOutOfMemoryError',
  ],
  ['fields of a config', 'To: reproduce, set\nFrom: 1.20\nin the file'],
  [
    'a date of a log',
    '2026-11-16 10:00:05 [INFO] Ann joined:\n2026-11-16 10:00:07 [INFO] Ann left',
  ],
  ['a console prompt', 'I typed\n> list\nand got nothing'],
  ['answers between what it quotes', INLINE],
  [
    'an answer below the quote',
    `On Mon, 16 Nov 2026 at 10:00, Support wrote:\n> Which version?\n\n1.21`,
  ],
  ['an answer below our line', `${quoted(OLD)}\n\nIt works now.`],
  ['nothing but a quote', quoted('Could you try 4 GiB?')],
]

export const ANSWERS: readonly Sample[] = [
  ...GMAIL.map(([language, head]) =>
    of(`Gmail in ${language}`, `${NEW}\n\n${head}\n\n${quoted(BARE)}\n`, NEW),
  ),
  ...GMAIL.map(([language, head]) =>
    of(`Gmail in ${language} with our line`, `${NEW}\n\n${head}\n\n${quoted(OLD)}\n`, NEW),
  ),
  ...MARKED.map(([program, head]) => of(program, `${NEW}\n\n${head}\n${quoted(BARE)}\n`, NEW)),
  ...UNMARKED.map(([program, head]) => {
    const [lead = ''] = head.startsWith('Get Outlook') ? head.split('\n') : []
    return of(program, `${NEW}\n\n${head}\n${BARE}`, lead === '' ? NEW : `${NEW}\n\n${lead}`)
  }),
  ...OWN.map(([what, text]) => of(what, text, text)),
  of('a signature below the quote', `${NEW}\n\n${quoted(BARE)}\n\n-- \nAnn`, NEW),
  {
    what: 'HTML alone, of Gmail',
    raw: mail(
      HTML,
      `<div dir="ltr"><div>It works now.</div><div><br></div><div>Thank you!</div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, 16 Nov 2026 at 10:00, Support &lt;<a href="mailto:support@desk.example.com">support@desk.example.com</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><p>Could you try 4 GiB?</p></blockquote></div>`,
    ),
    text: NEW,
  },
  {
    what: 'HTML alone, with answers between the quotes',
    raw: mail(
      HTML,
      '<p>Hello,</p><div>On 16 Nov 2026, at 10:00, Support wrote:</div><blockquote type="cite"><div>Which version?</div></blockquote><div>1.21</div><blockquote type="cite"><div>Which plugins?</div></blockquote><div>None</div>',
    ),
    text: 'Hello,\nOn 16 Nov 2026, at 10:00, Support wrote:\n\n> Which version?\n\n1.21\n\n> Which plugins?\n\nNone',
  },
  {
    what: 'HTML alone, of Outlook',
    raw: mail(
      HTML,
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang=EN-US><div class=WordSection1><p class=MsoNormal>It works now.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Thank you!<o:p></o:p></p><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal><b>From:</b> Support &lt;support@desk.example.com&gt; <br><b>Sent:</b> Monday, November 16, 2026 10:00 AM<br><b>To:</b> Ann Example &lt;ann@example.org&gt;<br><b>Subject:</b> My server stops<o:p></o:p></p></div><p class=MsoNormal>Could you try 4 GiB?</p></div></body></html>`,
    ),
    text: NEW,
  },
]
