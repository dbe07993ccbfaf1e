/** The languages of the panel's texts; English is whole, and stands in for what another lacks. */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]
