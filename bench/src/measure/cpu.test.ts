import { expect, test } from 'vitest'
import { CpuMeter, cpuMicrosOf, residentMb } from './cpu.ts'

test('a busy process uses CPU time, and one that has ended none', async () => {
  const meter = new CpuMeter(async () => [process.pid, 2 ** 22])
  await meter.start()
  const from = process.cpuUsage()
  for (let sum = 0; process.cpuUsage(from).user < 50_000; ) sum += Math.sqrt(sum)
  const used = await meter.stop()
  expect(used).toBeGreaterThan(45_000)
  expect(used).toBeLessThan(5_000_000)
  expect(cpuMicrosOf(2 ** 22)).toBe(0)
})

test('resident memory matches the system’s figure', () => {
  const own = process.memoryUsage.rss() / 2 ** 20
  expect(residentMb(process.pid)).toBeGreaterThan(own * 0.8)
  expect(residentMb(process.pid)).toBeLessThan(own * 1.2)
})
