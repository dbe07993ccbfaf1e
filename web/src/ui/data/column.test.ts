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

test('a list that nobody arranged shows its columns in its own order, but not the optional ones', () => {
  expect(ids([])).toEqual(['name', 'state', 'cpu', 'power'])
})

test('kept columns come in the kept order between the name and the actions', () => {
  expect(ids([kept('owner'), kept('cpu'), kept('state', false)])).toEqual([
    'name',
    'owner',
    'cpu',
    'power',
  ])
})

test('a column that is new since then stands where the list puts it, and one that is gone is forgotten', () => {
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

test('a column that another list of this name has stays kept, hidden or not, where it was', () => {
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

test('an arrangement survives being kept', () => {
  const first = moved(arrange(COLUMNS, [kept('state', true, 200)]), 'cpu', -1) ?? []
  const again = arrange(COLUMNS, keptOf(first))
  expect(again.map(({ id, shown, column }) => [id, shown, column.width])).toEqual(
    first.map(({ id, shown, column }) => [id, shown, column.width]),
  )
})
