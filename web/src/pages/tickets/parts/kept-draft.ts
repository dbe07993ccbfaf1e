/** What somebody has typed and not sent. */
export interface Typed {
  readonly text: string
  /** Of a new ticket. */
  readonly subject: string
  /** For the staff alone. */
  readonly isNote: boolean
}

export const NOTHING_TYPED: Typed = { text: '', subject: '', isNote: false }

export const isNothing = ({ text, subject }: Typed): boolean => text === '' && subject === ''

export const isSame = (one: Typed, other: Typed): boolean =>
  one.text === other.text && one.subject === other.subject && one.isNote === other.isNote

/** As it is in this browser: it is there however the tab ended. */
export interface KeptDraft {
  readonly typed: Typed
  /** Version of the server's draft that it continues. */
  readonly version: number
}

const keyOf = (person: string, id: string): string => `lodge.draft.${person}.${id}`

/** What was typed, from a value that may be anything. */
export function typedOf(value: unknown): Typed {
  if (typeof value !== 'object' || value === null) return NOTHING_TYPED
  const { text, subject, isNote } = value as Partial<Record<keyof Typed, unknown>>
  return {
    text: typeof text === 'string' ? text : '',
    subject: typeof subject === 'string' ? subject : '',
    isNote: isNote === true,
  }
}

export function readKept(person: string, id: string): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(person, id)) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return undefined
    const { typed, version } = kept as Partial<Record<keyof KeptDraft, unknown>>
    return typeof version === 'number' ? { typed: typedOf(typed), version } : undefined
  } catch {
    return undefined
  }
}

/** Keeps it; undefined forgets it. Without storage only the server has it. */
export function keep(person: string, id: string, draft: KeptDraft | undefined): void {
  try {
    if (draft === undefined) localStorage.removeItem(keyOf(person, id))
    else localStorage.setItem(keyOf(person, id), JSON.stringify(draft))
  } catch {
    // Full or switched off.
  }
}
