import { z } from 'zod'
import { FILTER_MAX } from './filter.ts'
import { LISTS, PAGE_SIZES, VIEWS_MAX } from './names.ts'

export const ListName = z.enum(LISTS)
export type ListName = z.infer<typeof ListName>

const columnId = z.string().regex(/^[a-z][a-z-]{0,31}$/, 'is not the name of a column')

/** Columns in their order. Those that are not listed stand where the list puts them. */
export const ListColumns = z
  .array(
    z.strictObject({
      id: columnId,
      shown: z.boolean(),
      /** Null for as wide as its content. */
      widthPx: z.int().min(48).max(1200).nullable(),
    }),
  )
  .max(40)
export type ListColumns = z.infer<typeof ListColumns>

const sort = z.string().regex(/^-?[a-z][a-z-]{0,31}$/, 'is not an order')

/** A filter, an order and columns under a name. */
export const ListView = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+$/u, 'must be one line of visible characters'),
  filter: z.string().max(FILTER_MAX),
  /** Null for the list's own order. */
  sort: sort.nullable(),
  columns: ListColumns,
})
export type ListView = z.infer<typeof ListView>

/** How somebody has arranged a list. */
export const ListPreference = z.strictObject({
  columns: ListColumns,
  pageSize: z.literal(PAGE_SIZES),
  views: z
    .array(ListView)
    .max(VIEWS_MAX)
    .refine(
      (views) => new Set(views.map(({ name }) => name)).size === views.length,
      'must have different names',
    ),
})
export type ListPreference = z.infer<typeof ListPreference>
