import type { MachineScreen } from './screen.ts'

type Chord = Parameters<MachineScreen['chord']>[0]

const CTRL = [0xffe3, 'ControlLeft'] as const
const ALT = [0xffe9, 'AltLeft'] as const
const TAB = [0xff09, 'Tab'] as const
const key = (number: number) => [0xffbd + number, `F${number}`] as const

const FUNCTION_KEYS = Array.from({ length: 12 }, (_, at): readonly [string, Chord] => [
  `F${at + 1}`,
  [key(at + 1)],
])

/** Key combinations that the browser or the desktop intercepts, in groups, by X11 keysym and key code. */
export const CHORDS: readonly (readonly (readonly [label: string, Chord])[])[] = [
  [
    ['Escape', [[0xff1b, 'Escape']]],
    ['Tab', [TAB]],
    ['Enter', [[0xff0d, 'Enter']]],
    ['Delete', [[0xffff, 'Delete']]],
    ['Windows', [[0xffeb, 'MetaLeft']]],
  ],
  [
    ['Alt + Tab', [ALT, TAB]],
    ['Alt + F4', [ALT, key(4)]],
    ['Ctrl + C', [CTRL, [0x63, 'KeyC']]],
    ['Ctrl + Alt + F1', [CTRL, ALT, key(1)]],
    ['Ctrl + Alt + F2', [CTRL, ALT, key(2)]],
    ['Ctrl + Alt + F7', [CTRL, ALT, key(7)]],
  ],
  FUNCTION_KEYS,
]
