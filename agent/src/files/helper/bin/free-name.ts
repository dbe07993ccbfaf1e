const MAX_NAME_BYTES = 255
const MOST = 100

/** A name, and others beside it for when it is taken: `a.txt`, `a (restored).txt`, `a (restored 2).txt`. */
export function* namesFor(name: string): Generator<string> {
  yield name
  // What begins with a dot has no ending, and an archive may have two.
  const ending = /.((?:\.tar)?\.[^.]{1,16})$/.exec(name)?.[1] ?? ''
  const stem = name.slice(0, name.length - ending.length)
  for (let count = 1; count <= MOST; count += 1) {
    const mark = count === 1 ? ' (restored)' : ` (restored ${count})`
    yield fitting(stem, MAX_NAME_BYTES - Buffer.byteLength(mark + ending)) + mark + ending
  }
}

/** The beginning of a text that has at most so many bytes. */
function fitting(text: string, bytes: number): string {
  let kept = text
  while (Buffer.byteLength(kept) > bytes) kept = [...kept].slice(0, -1).join('')
  return kept
}
