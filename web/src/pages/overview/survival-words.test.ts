import { expect, test } from 'vitest'
import { survivalWords } from './capacity-card.tsx'

test('a location says whether it survives the loss of its fullest node, and how many servers would not fit', () => {
  const loss = { nodeId: 'n', nodeName: 'n3' }
  expect(survivalWords({ ...loss, survives: true, homeless: 0 })).toBe(
    'Survives the loss of n3: yes',
  )
  expect(survivalWords({ ...loss, survives: false, homeless: 1 })).toBe(
    'Survives the loss of n3: no, 1 server would not fit',
  )
  expect(survivalWords({ ...loss, survives: false, homeless: 5 })).toBe(
    'Survives the loss of n3: no, 5 servers would not fit',
  )
})
