import { expect, test } from 'vitest'
import { arrange, type Column, keptOf, moved } from './column.ts'

const column = (header: string, more: Partial<Column<object>> = {}): Column<object> => ({
  header,
  cell: () => null,
  ...more,
})
const COLUMNS = [
  column('Name', { role: 'title' }),
  column('State'),
  column('CPU use', { id: 'cpu' }),
  column('Owner', { optional: true }),
  column('Power', { role: 'acts' }),
]
const ids = (kept: Parameters<typeof arrange>[1], columns = COLUMNS) =>
  arrange(columns, kept).flatMap(({ id, shown }) => (shown ? [id] : []))
const kept = (id: string, shown = true, widthPx: number | null = null) => ({ id, shown, widthPx })

test('by default a list shows its columns in its own order, without the optional ones', () => {
  expect(ids([])).toEqual(['name', 'state', 'cpu', 'power'])
})

test('saved columns appear in the saved order between the name and the actions', () => {
  expect(ids([kept('owner'), kept('cpu'), kept('state', false)])).toEqual([
    'name',
    'owner',
    'cpu',
    'power',
  ])
})

test('a newer column appears at its default position, and one that is gone is dropped', () => {
  const more = COLUMNS.toSpliced(2, 0, column('Players'))
  expect(ids([kept('cpu'), kept('gone'), kept('state')], more)).toEqual([
    'name',
    'cpu',
    'state',
    'players',
    'power',
  ])
})

test('neither the name nor the actions can be hidden or moved', () => {
  const arranged = arrange(COLUMNS, [kept('power', false), kept('name', false)])
  expect(arranged.map(({ id, shown }) => [id, shown])).toContainEqual(['power', true])
  expect(moved(arranged, 'state', -1)).toBeUndefined()
  expect(moved(arranged, 'owner', 1)).toBeUndefined()
})

test('a column of another list of this name stays saved at its position, hidden or not', () => {
  const before = [kept('cpu'), kept('node', false, 90), kept('state')]
  const arranged = moved(arrange(COLUMNS, before), 'state', -1) ?? []
  expect(keptOf(arranged, before)).toEqual([
    kept('name'),
    kept('cpu'),
    kept('node', false, 90),
    kept('state'),
    kept('owner', false),
  ])
})

test('an arrangement survives saving', () => {
  const first = moved(arrange(COLUMNS, [kept('state', true, 200)]), 'cpu', -1) ?? []
  const again = arrange(COLUMNS, keptOf(first))
  expect(again.map(({ id, shown, column }) => [id, shown, column.width])).toEqual(
    first.map(({ id, shown, column }) => [id, shown, column.width]),
  )
})
