/** One keystroke: its X11 keysym and its key code on a US keyboard. */
export interface Stroke {
  readonly keysym: number
  readonly code: string | null
  readonly shift: boolean
}

export const SHIFT: Stroke = { keysym: 0xffe1, code: 'ShiftLeft', shift: false }
export const BACKSPACE: Stroke = { keysym: 0xff08, code: 'Backspace', shift: false }

const NAMED: Readonly<Record<string, readonly [keysym: number, code: string]>> = {
  '\n': [0xff0d, 'Enter'],
  '\t': [0xff09, 'Tab'],
  ' ': [0x20, 'Space'],
}

/** Keys of a US keyboard with two characters: plain and shifted. */
const PAIRS: Readonly<Record<string, string>> = {
  '`~': 'Backquote',
  '1!': 'Digit1',
  '2@': 'Digit2',
  '3#': 'Digit3',
  '4$': 'Digit4',
  '5%': 'Digit5',
  '6^': 'Digit6',
  '7&': 'Digit7',
  '8*': 'Digit8',
  '9(': 'Digit9',
  '0)': 'Digit0',
  '-_': 'Minus',
  '=+': 'Equal',
  '[{': 'BracketLeft',
  ']}': 'BracketRight',
  '\\|': 'Backslash',
  ';:': 'Semicolon',
  '\'"': 'Quote',
  ',<': 'Comma',
  '.>': 'Period',
  '/?': 'Slash',
}

/** Keysyms are Unicode code points, with a flag beyond Latin-1. */
const keysymOf = (sign: string): number => {
  const point = sign.codePointAt(0) ?? 0
  return point < 0x100 ? point : 0x01000000 + point
}

function strokeOf(sign: string): Stroke {
  const named = NAMED[sign]
  if (named) return { keysym: named[0], code: named[1], shift: false }
  const keysym = keysymOf(sign)
  if (/^[a-z]$/i.test(sign))
    return { keysym, code: `Key${sign.toUpperCase()}`, shift: sign !== sign.toLowerCase() }
  const pair = Object.entries(PAIRS).find(([signs]) => signs.includes(sign))
  return pair
    ? { keysym, code: pair[1], shift: pair[0].indexOf(sign) === 1 }
    : { keysym, code: null, shift: false }
}

/** The keystrokes for a text on a US keyboard; a character it lacks is sent by keysym alone. */
export const strokesOf = (text: string): Stroke[] =>
  [...text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')].map(strokeOf)
