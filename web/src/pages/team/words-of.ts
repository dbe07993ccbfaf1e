/** The name of a preset or area from its id: `support_lead` is `Support lead`. */
export const wordsOf = (id: string): string => {
  const words = id.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
