/** X11 keysyms and key codes of non-printing keys. */
const NAMED: Readonly<Record<string, readonly [keysym: number, code: string]>> = {
  Backspace: [0xff08, 'Backspace'],
  Enter: [0xff0d, 'Enter'],
  Tab: [0xff09, 'Tab'],
  Escape: [0xff1b, 'Escape'],
  ArrowLeft: [0xff51, 'ArrowLeft'],
  ArrowUp: [0xff52, 'ArrowUp'],
  ArrowRight: [0xff53, 'ArrowRight'],
  ArrowDown: [0xff54, 'ArrowDown'],
}

/** The key that an on-screen keyboard names; undefined when it only reports text. */
export const namedKey = (name: string): readonly [number, string] | undefined => NAMED[name]

/**
 * The edit between two contents of a text field: on-screen keyboards replace whole words, but the
 * guest only has keys.
 */
export function editsOf(before: string, after: string): { removed: number; added: string } {
  const [old, next] = [[...before], [...after]]
  let same = 0
  while (same < old.length && old[same] === next[same]) same += 1
  return { removed: old.length - same, added: next.slice(same).join('') }
}
