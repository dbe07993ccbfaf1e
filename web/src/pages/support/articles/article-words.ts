import { t } from '../words.ts'

/** Words for the states of an article. */
export const statusWords = () => ({
  draft: t.draft,
  published: t.published,
  archived: t.archived,
})

/** Words for the audiences of an article. */
export const readerWords = () => ({
  public: t.public,
  customers: t.customers,
  internal: t.internal,
})

/** The same as choices. */
export const choicesOf = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  Object.entries<string>(words).map(([value, label]) => ({ value: value as Value, label }))
