import { expect, test } from 'vitest'
import { troublesIn } from './trouble.ts'

test.each([
  ['[main/INFO]: You need to agree to the EULA in order to run the server.', ['eula']],
  ['**** FAILED TO BIND TO PORT!', ['port']],
  ['bind(): Address already in use', ['port']],
  ['Exception in thread "main" java.lang.OutOfMemoryError: Java heap space', ['memory']],
  ['java.lang.UnsupportedClassVersionError: has been compiled by a more recent version', ['java']],
  ['[Server thread/INFO]: Done (3.2s)! For help, type "help"', []],
])('%s is recognised as %j', (line, ids) => {
  expect(troublesIn(line).map(({ id }) => id)).toEqual(ids)
})
