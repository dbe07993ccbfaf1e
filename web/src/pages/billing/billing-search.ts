import { given, type Raw, text } from '../../routes/search.ts'

/** A plan that is sold only to who has its link. */
export const storeSearch = (raw: Raw) => given({ plan: text(raw.plan) })

/** Where a page of a list begins. */
export const pagedSearch = (raw: Raw) => given({ after: text(raw.after) })
