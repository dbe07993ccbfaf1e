import { describe, expect, test } from 'vitest'
import { isSurelyDead } from './takeover.ts'

const confirmed = { revision: 3, guardedRevision: 3 }
const unconfirmed = { revision: 3, guardedRevision: 2 }

describe('a server of a fenced node', () => {
  test('with the mode auto is dead if its node has confirmed to guard it, or is off', () => {
    expect(isSurelyDead({ mode: 'auto', ...confirmed })).toBe(true)
    expect(isSurelyDead({ mode: 'auto', ...unconfirmed })).toBe(false)
    expect(isSurelyDead({ mode: 'auto', revision: 0, guardedRevision: 0 })).toBe(false)
    expect(isSurelyDead({ mode: 'auto', ...unconfirmed }, true)).toBe(true)
  })

  test('with the mode stonith is dead only if the machine is off, whatever it has confirmed', () => {
    expect(isSurelyDead({ mode: 'stonith', ...confirmed })).toBe(false)
    expect(isSurelyDead({ mode: 'stonith', ...unconfirmed }, true)).toBe(true)
  })

  test('that is pinned waits for a person', () => {
    expect(isSurelyDead({ mode: 'pinned', ...confirmed }, true)).toBe(false)
  })
})
