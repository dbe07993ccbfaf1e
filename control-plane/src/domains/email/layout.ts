import type { Language } from '@lodge/shared/words/languages.ts'
import { escapeHtml } from '../../http/escape-html.ts'

/** The panel as mails show it. */
export type MailPanel = {
  readonly name: string
  readonly url: string
  /** Colours of buttons in light and dark, `#rrggbb`. */
  readonly button: string
  readonly buttonText: string
  readonly darkButton: string
  readonly darkButtonText: string
  /** Under every mail; empty for nothing. */
  readonly footer: string
}

const BUTTON = /^\[([^\]\n]{1,80})\]\((https?:\/\/[^\s()]+)\)$/

const paragraphs = (content: string): string[] =>
  content
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((text) => text.trim())
    .filter((text) => text !== '')

/** For readers without HTML: a button becomes its label and the address on a separate line. */
export const contentToText = (content: string): string =>
  `${paragraphs(content)
    .map((text) => text.replace(BUTTON, '$1:\n$2'))
    .join('\n\n')}\n`

/**
 * Paragraphs of text as HTML. Only links into the panel become buttons and links, so no variable's
 * value can add one to another site.
 */
export const contentToHtml = (
  content: string,
  panel: Pick<MailPanel, 'url' | 'button' | 'buttonText'>,
): string =>
  paragraphs(content)
    .map((text) => {
      const [, label, url] = BUTTON.exec(text) ?? []
      if (label && url && (url === panel.url || url.startsWith(`${panel.url}/`)))
        return button(label, url, panel)
      return `<p style="margin:0 0 16px">${linked(text, panel.url).replaceAll('\n', '<br>')}</p>`
    })
    .join('\n')

/** Addresses of the panel as links, shown without their tokens, which nobody reads. */
const linked = (text: string, panelUrl: string): string =>
  text
    .split(/(https?:\/\/[^\s()<>"]*[^\s()<>".,;:!?])/)
    .map((part) => {
      const shown = escapeHtml(part.replace(/^https?:\/\//, '').replace(/#.*$/, ''))
      return part.startsWith(`${panelUrl}/`)
        ? `<a href="${escapeHtml(part)}" style="color:inherit">${shown}</a>`
        : escapeHtml(part)
    })
    .join('')

const button = (label: string, url: string, colours: Pick<MailPanel, 'button' | 'buttonText'>) =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" class="button" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${colours.button};color:${colours.buttonText};font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`

const FONT =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

const SENT_BY: Readonly<Record<Language, string>> = { en: 'Sent by', de: 'Gesendet von' }

/**
 * One column that works on any screen width, in light and dark mode, in the panel's colours. Links in
 * the text, to unsubscribe for example, are longer than a phone is wide.
 */
export const layout = (
  subject: string,
  inner: string,
  panel: MailPanel,
  language: Language,
): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
.page { background: #0e0f12 !important; }
.card { background: #151619 !important; border-color: #25272a !important; color: #eaedf4 !important; }
.title { color: #ffffff !important; }
.quiet, .quiet a { color: #989ba3 !important; }
.button { background: ${panel.darkButton} !important; color: ${panel.darkButtonText} !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f8f9fb">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f8f9fb;${FONT}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="quiet" style="padding:0 4px 12px;font-size:15px;font-weight:600;color:#52555c">${escapeHtml(panel.name)}</td></tr>
<tr><td class="card" style="padding:32px;background:#ffffff;border:1px solid #e3e5ea;border-radius:12px;font-size:16px;line-height:1.55;color:#1c1e23;word-break:break-word;overflow-wrap:anywhere">
<h1 class="title" style="margin:0 0 20px;font-size:22px;line-height:1.3;color:#1c1e23">${escapeHtml(subject)}</h1>
${inner}
</td></tr>
<tr><td class="quiet" style="padding:16px 4px 0;font-size:13px;line-height:1.5;color:#52555c">${SENT_BY[language]} <a href="${escapeHtml(panel.url)}" style="color:#52555c">${escapeHtml(panel.url.replace(/^https?:\/\//, ''))}</a>${panel.footer === '' ? '' : `<br>${escapeHtml(panel.footer).replaceAll('\n', '<br>')}`}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
