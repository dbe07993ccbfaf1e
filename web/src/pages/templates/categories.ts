import { t } from './words.ts'

interface Filed {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly featured: boolean
}

export interface Category {
  readonly value: string
  readonly label: string
}

interface KnownCategory {
  readonly value: string
  readonly label: () => string
  readonly tags: readonly string[]
}

/** The tags of each category, in display order; the first match counts. */
const KNOWN: readonly KnownCategory[] = [
  { value: 'games', label: () => t.games, tags: ['game', 'games', 'minecraft', 'steam'] },
  { value: 'voice', label: () => t.voice, tags: ['voice', 'teamspeak', 'mumble'] },
  { value: 'databases', label: () => t.databases, tags: ['database', 'databases', 'sql', 'nosql'] },
  { value: 'bots', label: () => t.bots, tags: ['bot', 'bots', 'chatbot', 'discord', 'twitch'] },
  { value: 'web', label: () => t.web, tags: ['web', 'program', 'language', 'generic'] },
]
const OTHER: KnownCategory = { value: 'other', label: () => t.other, tags: [] }

const spoken = ({ value, label }: KnownCategory): Category => ({ value, label: label() })

/** The category of a template, from its tags. */
export function categoryOf({ tags }: Pick<Filed, 'tags'>): Category {
  const written = new Set(tags.map((tag) => tag.toLowerCase()))
  return spoken(KNOWN.find((category) => category.tags.some((tag) => written.has(tag))) ?? OTHER)
}

/** The categories of these templates. */
export const categoriesOf = (templates: readonly Filed[]): readonly Category[] => {
  const present = new Set(templates.map((one) => categoryOf(one).value))
  return [...KNOWN, OTHER].filter(({ value }) => present.has(value)).map(spoken)
}

/** Whether every word occurs in the name, the description or the tags. */
export function matches(template: Filed, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/)
  const all = [template.name, template.description, ...template.tags].join('\n').toLowerCase()
  return words.every((word) => all.includes(word))
}

export interface Group<T> extends Category {
  readonly items: readonly T[]
}

/** The templates to show: featured ones first, then category by category. */
export function grouped<T extends Filed>(
  templates: readonly T[],
  { text, category }: { readonly text: string; readonly category: string },
): readonly Group<T>[] {
  const found = templates.filter(
    (one) => matches(one, text) && (category === '' || categoryOf(one).value === category),
  )
  // In search results, featured templates are not repeated.
  const apart = text === '' && category === ''
  const featured = apart ? found.filter((one) => one.featured) : []
  const rest = found.filter((one) => !featured.includes(one))
  const groups = categoriesOf(rest).map((one) => ({
    ...one,
    items: rest.filter((template) => categoryOf(template).value === one.value),
  }))
  return featured.length === 0
    ? groups
    : [{ value: 'featured', label: t.featuredTemplates, items: featured }, ...groups]
}

/** All templates in display order, so that the one chosen by default is the first on screen. */
export const inShownOrder = <T extends Filed>(templates: readonly T[]): readonly T[] =>
  grouped(templates, { text: '', category: '' }).flatMap(({ items }) => items)
