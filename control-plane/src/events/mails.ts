import type { PlainPathName } from '@lodge/shared/panel-paths.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { Reader } from '../moment-text.ts'
import type { EventCatalogue, EventName } from './catalogue.ts'

/** A page of the server whose id is the variable `serverId`. */
export type ServerPage = 'serverConsole' | 'serverBackups'

/** A kind of mail: its variables and its built-in wording. */
export interface Mail {
  /** Also the id of its edited wording, so it does not change. */
  readonly id: string
  readonly title: string
  /** The page that `{{ link }}` opens. */
  readonly opens?: PlainPathName | ServerPage
  /**
   * The link carries a single-use token, valid until `{{ expires }}`; `sometimes`: there may be
   * none.
   */
  readonly once?: true | 'sometimes'
  /** Lower is sent first: people waiting for a link or under attack. */
  readonly priority: 0 | 1 | 2
  /** Mail about account security cannot be turned off. */
  readonly security?: true
  /** Its own variables, each with a sample value for previews. */
  readonly variables: Readonly<Record<string, string>>
  readonly subject: string
  /** Paragraphs; a separate line `[label]({{ link }})` becomes a button. */
  readonly body: string
}

/** The built-in wording of mails in other languages than English, by language and the mails' ids. */
export type MailTranslations = Readonly<
  Partial<Record<Language, Readonly<Record<string, Pick<Mail, 'subject' | 'body'>>>>>
>

/** Declares a kind of mail; senders are checked against its variables. */
export const defineMail = <const M extends Mail>(mail: M): M => mail

const greeted =
  (greeting: string) =>
  (...text: readonly string[]): string =>
    [`${greeting}{% if user.name %} {{ user.name }}{% endif %},`, ...text].join('\n\n')

/** The body of a mail: a greeting, then these paragraphs. */
export const paragraphs = greeted('Hello')
/** As `paragraphs`, in German. */
export const germanParagraphs = greeted('Guten Tag')

/** A mail whose link works once. */
export type OnceMail = Mail & { readonly once: true }

/** The token of a link, and its expiry. */
export interface Issued {
  readonly token: string
  readonly expiresAt: Date
}

export type VariablesOf<M extends Mail> = { readonly [K in keyof M['variables']]: string }

/** What one mail is filled with; with `issued`, it is not sent after the link has expired. */
export type Filling<M extends Mail> = {
  /** A function where they depend on who reads them. */
  readonly variables: VariablesOf<M> | ((reader: Reader) => VariablesOf<M>)
} & (M extends OnceMail ? { readonly issued: Issued } : { readonly issued?: Issued | undefined })

/** A mail to one person. */
export interface Letter {
  readonly mail: Mail
  /** Defaults to the address of the account. */
  readonly to?: string
  readonly userId: string | null
  readonly variables: Filling<Mail>['variables']
  readonly issued?: Issued | undefined
  /** In which language its person asked for it, if that request is over. */
  readonly asked?: Language | undefined
}

/** A letter whose variables are those of its kind. */
export const letter = <const M extends Mail>(
  mail: M,
  given: Pick<Letter, 'to' | 'userId' | 'asked'> & Filling<M>,
): Letter => ({ mail, ...given })

/** Which events send mail. */
export type Letters = {
  readonly [N in EventName]?: (payload: EventCatalogue[N]) => Letter | readonly Letter[]
}
