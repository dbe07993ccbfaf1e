/** Lower case without accents, so that "uber" finds "Über". */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()

/**
 * Whether the letters of a word occur in order, close together and starting at the start of a word.
 */
function scattered(word: string, text: string): boolean {
  for (let start = 0; start < text.length; start++) {
    const begins = start === 0 || /[^\p{L}\p{N}]/u.test(text[start - 1] ?? '')
    if (!begins || text[start] !== word[0]) continue
    let at = start
    const all = [...word.slice(1)].every((letter) => {
      at = text.indexOf(letter, at + 1)
      return at !== -1
    })
    if (all && at - start < word.length * 3) return true
  }
  return false
}

function wordScore(word: string, text: string): number {
  const at = text.indexOf(word)
  if (at === 0) return 60
  if (at > 0) return /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? 50 : 25
  return word.length > 1 && scattered(word, text) ? 10 : 0
}

/**
 * How well a text matches the typed words; 0 for no match. Every word must match, in any order:
 * whole, at the start of a word, inside one, or as scattered letters.
 */
export function fuzzyScore(typed: string, text: string): number {
  const query = plain(typed).trim()
  const target = plain(text)
  if (query === '') return 1
  if (target === query) return 1_000
  const scores = query.split(/\s+/).map((word) => wordScore(word, target))
  if (scores.includes(0)) return 0
  const sum = scores.reduce((total, score) => total + score, 0) / scores.length
  const inOrder = target.startsWith(query) ? 200 : target.includes(query) ? 100 : 0
  // Of two equal matches, the shorter text ranks higher.
  return sum + inOrder + 20 / (1 + target.length / 10)
}
