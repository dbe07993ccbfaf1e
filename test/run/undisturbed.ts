import { afterAll, expect } from 'vitest'

/**
 * Files share processes, so one that leaves something behind would affect the next: it fails itself.
 */
/** libvips sets its own folder when it is loaded. */
const { VIPSHOME: _, ...environment } = process.env
const folder = process.cwd()

afterAll(() => {
  const { VIPSHOME: _, ...now } = process.env
  expect(now, 'the environment after the file').toEqual(environment)
  expect(process.cwd(), 'the working directory after the file').toBe(folder)
})
