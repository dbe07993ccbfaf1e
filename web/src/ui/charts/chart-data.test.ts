import { expect, test } from 'vitest'
import { chartCsv, csvName } from './chart-csv.ts'
import {
  type ChartData,
  filledTimes,
  indexAt,
  loneIndexes,
  summarize,
  withBreaks,
} from './chart-data.ts'
import { chartRows } from './chart-rows.ts'

const point = (seconds: number) => ({ at: new Date(seconds * 1000).toISOString() })
const data: ChartData = {
  times: [0, 15, 30, 45, 60, 75],
  stepSeconds: 15,
  gaps: [{ from: 30, to: 60, words: 'Node offline' }],
  marks: [],
  panels: [
    {
      title: 'CPU',
      unit: 'percent',
      limit: 200,
      series: [
        {
          name: 'CPU',
          colour: 1,
          values: [10, 20, null, null, 40, 30],
          peaks: [15, 90, null, null, 41, 31],
        },
      ],
    },
    {
      title: 'Disk',
      unit: 'bytes',
      series: [{ name: 'Disk, all of it', colour: 3, values: [1, 2, null, null, null, 4.126] }],
    },
  ],
}

test('a line continues across one late point', () => {
  const places = withBreaks([point(0), point(20), point(60)], 20)
  expect(places.map(({ at }) => at)).toEqual([0, 20, 60])
})

test('a line breaks where samples are missing', () => {
  const places = withBreaks([point(0), point(20), point(200), point(220)], 20)
  expect(places.map(({ at }) => at)).toEqual([0, 20, 40, 200, 220])
  expect(places.map((place) => place.point === undefined)).toEqual([
    false,
    false,
    true,
    false,
    false,
  ])
})

test('no points give no line', () => {
  expect(withBreaks([], 20)).toEqual([])
})

test('average and peak cover the visible part, and a gap is not zero', () => {
  const [cpu, disk] = data.panels
  expect(summarize(data.times, cpu!.series[0]!, { from: 0, to: 75 })).toEqual({
    average: 25,
    peak: 90,
  })
  expect(summarize(data.times, cpu!.series[0]!, { from: 50, to: 80 })).toEqual({
    average: 35,
    peak: 41,
  })
  expect(summarize(data.times, disk!.series[0]!, { from: 30, to: 60 })).toEqual({
    average: null,
    peak: null,
  })
})

test('the crosshair finds the value beside it, and none inside a gap', () => {
  expect(indexAt(data, 17)).toBe(1)
  expect(indexAt(data, 62)).toBe(4)
  expect(indexAt(data, 2000)).toBeUndefined()
  expect(indexAt({ ...data, stepSeconds: 5 }, 45)).toBeUndefined()
  expect(filledTimes(data, { from: 10, to: 70 })).toEqual([15, 60])
})

test('the CSV contains what is shown: units in the header, ISO times, empty cells for gaps', () => {
  expect(chartCsv(data, { from: 10, to: 80 })).toBe(
    [
      'Time,CPU (%),"CPU, peak (%)","Disk, all of it (bytes)"',
      '1970-01-01T00:00:15.000Z,20,90,2',
      '1970-01-01T00:01:00.000Z,40,41,',
      '1970-01-01T00:01:15.000Z,30,31,4.13',
      '',
    ].join('\r\n'),
  )
})

test('the file is named after the server and the time', () => {
  const from = Date.parse('2026-11-22T10:20:00Z') / 1000
  expect(csvName('Under the hill! metrics', { from, to: from + 3600 })).toBe(
    'under-the-hill-metrics-2026-11-22T1020-2026-11-22T1120.csv',
  )
})

test('the table joins steps to averages and peaks, newest first', () => {
  const rows = chartRows(data, { from: 0, to: 80 }, 2)
  expect(rows.map(({ at }) => at)).toEqual([60, 0])
  expect(rows.map(({ cells }) => cells[0])).toEqual([
    { average: 35, peak: 41 },
    { average: 15, peak: 90 },
  ])
  expect(chartRows(data, { from: 0, to: 80 }, 60)).toHaveLength(4)
})

test('a value between two breaks is found, so that it can be drawn as a point', () => {
  expect(loneIndexes([3])).toEqual([0])
  expect(loneIndexes([1, null, 2, null, null, 3, 4, null, 5])).toEqual([0, 2, 8])
  expect(loneIndexes([1, 2, null])).toEqual([])
})
