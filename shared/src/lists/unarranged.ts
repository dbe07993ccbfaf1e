import type { ListPreference } from './preferences.ts'

/** A list that nobody has arranged. */
export const UNARRANGED: ListPreference = { columns: [], pageSize: 50, views: [] }
