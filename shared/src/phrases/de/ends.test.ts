import { expect, test } from 'vitest'
import { CRASH_WORDS, EXIT_WORDS, filledIn, LATE_STOP, STOP_WORDS } from '../../end-words.ts'
import { sayReason } from './index.ts'

test('how a server ended and what follows are said in one sentence', () => {
  const how = filledIn(EXIT_WORDS.code, { code: 137 })
  const values = { how, times: 3, minutes: 10, attempt: 1, most: 3, wait: 5 }
  expect(sayReason(how)).toBe('Der Server endete mit Exit-Code 137')
  expect(sayReason(filledIn(CRASH_WORDS.oftenInMinutes, values))).toBe(
    'Der Server endete mit Exit-Code 137; er wurde innerhalb von 10 Minuten schon 3-mal neu gestartet und bleibt daher gestoppt',
  )
  expect(sayReason(filledIn(CRASH_WORDS.none, values))).toBe(
    'Der Server endete mit Exit-Code 137; laut Einstellung ist kein Neustart erlaubt',
  )
})

test('every end is followed by whatever follows, in German as a whole', () => {
  for (const how of Object.values(EXIT_WORDS).map((text) =>
    filledIn(text, { signal: 'SIGKILL', code: 1 }),
  ))
    for (const words of Object.values(CRASH_WORDS)) {
      const values = { how, times: 2, minutes: 5, attempt: 1, most: 2, wait: 7 }
      expect(sayReason(filledIn(words, values))).not.toMatch(/\b(The|its|which|restarted|within)\b/)
    }
})

test('why a server was stopped is said with how it was seen to end', () => {
  const how = filledIn(EXIT_WORDS.code, { code: 0 })
  const late = filledIn(LATE_STOP, { why: STOP_WORDS.power_off, seconds: 30 })
  expect(sayReason(STOP_WORDS.power_off)).toBe('Auf Wunsch gestoppt')
  expect(sayReason(`${STOP_WORDS.install}. ${how}`)).toBe(
    'Für eine Installation gestoppt. Der Server endete mit Exit-Code 0',
  )
  expect(sayReason(`${late}. ${how}`)).toBe(
    'Auf Wunsch gestoppt, aber er endete nicht innerhalb von 30 s nach der Aufforderung und wurde zwangsweise beendet. Der Server endete mit Exit-Code 0',
  )
})
