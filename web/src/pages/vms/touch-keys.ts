/** X11 names and places of keys that write nothing. */
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

/** The key that a keyboard on glass names; undefined where it tells only what it has written. */
export const namedKey = (name: string): readonly [number, string] | undefined => NAMED[name]

/**
 * What turns one content of a text field into the next: keyboards on glass replace whole words, and
 * the guest has only keys.
 */
export function editsOf(before: string, after: string): { removed: number; added: string } {
  const [old, next] = [[...before], [...after]]
  let same = 0
  while (same < old.length && old[same] === next[same]) same += 1
  return { removed: old.length - same, added: next.slice(same).join('') }
}
