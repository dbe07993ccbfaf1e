/** Lines that mail programs write above a quoted mail, in their languages. */

/** Ends an attribution line: `On Monday at 10:00, Ann wrote:`. */
const WROTE =
  'wrote|writes|schrieb|schreibt|a écrit|escribió|escribiste|ha scritto|schreef|het volgende geschreven|' +
  'escreveu|skrev|skrifaði|kirjoitti|kirjutas|napisał|pisze|napsal|napísal|написал|пишет|написав|пише|' +
  'написа|yazdı|írta|a scris|έγραψε|rašė|rakstīja|napisao|je pisal|va escriure|写道|寫道|작성|書きました|' +
  'đã viết|menulis|เขียนว่า|כתב|كتب'

/** Titles between hyphens above a quoted mail. */
const ORIGINAL =
  "original message|originalnachricht|ursprüngliche nachricht|message d['’]origine|message original|" +
  'mail original|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|' +
  'ursprungligt meddelande|originalmeddelande|oprindelig meddelelse|opprinnelig melding|' +
  'alkuperäinen viesti|oryginalna wiadomość|wiadomość oryginalna|původní zpráva|pôvodná správa|' +
  'исходное сообщение|orijinal mesaj|eredeti üzenet|mesaj original|原始邮件|原始郵件|元のメッセージ|' +
  '원본 메시지|forwarded message|weitergeleitete nachricht|message transféré|mensaje reenviado|' +
  'messaggio inoltrato|doorgestuurd bericht|пересылаемое сообщение'

/** Names of the header fields that are repeated above a quoted mail. */
const FIELDS = {
  from: 'from|von|de|da|van|från|fra|od|lähettäjä|kimden|от|від|felad[oó]|από|发件人|寄件者|差出人|보낸 사람',
  sent: 'sent|date|gesendet|datum|envoyé(?: le)?|enviado(?: el)?|enviada(?: em)?|data|fecha|inviato|verzonden|skickat|sendt|lähetetty|gönderilme|tarih|wysłano|odesláno|отправлено|дата|надіслано|elküldve|发送时间|寄件日期|送信日時|보낸 날짜',
  to: 'to|an|à|para|a|aan|till|til|do|komu|vastaanottaja|kime|кому|címzett|προς|收件人|宛先|받는 사람|cc|kopie',
  subject:
    'subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|aihe|konu|temat|předmět|predmet|тема|tárgy|θέμα|主题|主旨|件名|제목',
} as const

const field = (names: string): RegExp =>
  new RegExp(`^\\*?(?:${names})\\s?(?::\\*?|\\*:|：)\\s?\\S`, 'iu')

const BEGINS = field(`${FIELDS.from}|${FIELDS.sent}`)
const GOES_ON = field(Object.values(FIELDS).join('|'))
const ORIGINAL_HEAD = new RegExp(`^[-‐–—]{2,}\\s?(?:${ORIGINAL})\\s?[-‐–—]{2,}$`, 'iu')
/** Requires a digit, as of a date, so that ordinary sentences do not match. */
const WROTE_HEAD = new RegExp(`^(?=.*\\d).{3,260}(?:${WROTE}).{0,100}[:：]$`, 'iu')
/** Some programs write no verb: a date with a year, and the address in angle brackets. */
const ADDRESS_HEAD =
  /^(?=.*\d{1,2}[:.]\d{2})(?=.*\b20\d\d|.*20\d\d年).{6,260}<[^<>\s]{3,200}@[^<>\s]{3,200}>\s?[:：]$/u
const RULE = /^_{20,}$/

/** Longer lines are no heads, and would take long to match. */
const LONGEST_HEAD = 400
/** How many lines an attribution may be wrapped to. */
const MOST_LINES = 3
/** How many consecutive fields count as a head. */
const LEAST_FIELDS = 3

/** Whether a quote's head begins in this line. @param following the lines after it */
export function isQuoteHead(line: string, following: readonly string[]): boolean {
  const bare = line.trim()
  if (bare === '' || bare.length > LONGEST_HEAD) return false
  if (ORIGINAL_HEAD.test(bare)) return true
  const next = following.filter((one) => one.trim() !== '').map((one) => one.trim())
  if (RULE.test(bare)) return BEGINS.test(next[0]?.slice(0, LONGEST_HEAD) ?? '')
  if (BEGINS.test(bare)) return fieldsIn([bare, ...next]) >= LEAST_FIELDS
  return isAttribution(bare, following)
}

function fieldsIn(lines: readonly string[]): number {
  const other = lines.findIndex((line) => !GOES_ON.test(line.slice(0, LONGEST_HEAD)))
  return other < 0 ? lines.length : other
}

/** It may be wrapped, but contains no blank line. */
function isAttribution(bare: string, following: readonly string[]): boolean {
  let joined = bare
  for (let lines = 1; lines <= MOST_LINES; lines++) {
    if (joined.length > LONGEST_HEAD) return false
    if (/[:：]$/.test(joined) && (WROTE_HEAD.test(joined) || ADDRESS_HEAD.test(joined))) return true
    const next = following[lines - 1]?.trim() ?? ''
    if (next === '' || next.startsWith('>')) return false
    joined += ` ${next}`
  }
  return false
}
