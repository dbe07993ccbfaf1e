import { afterAll, expect } from 'vitest'

/** Files share processes, so what one leaves behind would meet the next: it fails where it is left. */
const environment = { ...process.env }
const folder = process.cwd()

afterAll(() => {
  expect({ ...process.env }, 'the environment after the file').toEqual(environment)
  expect(process.cwd(), 'the working directory after the file').toBe(folder)
})
