import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DEFAULT_SEED, tokens } from '@lodge/shared/theme/tokens.ts'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const SCALE = 'theme/scale.css'
const styles = globSync('**/*.css', { cwd: root }).map((file) => ({
  file,
  lines: readFileSync(path.join(root, file), 'utf8').split('\n'),
}))

/** Declarations of this property with any other value. */
const strays = (property: string, allowed: RegExp): readonly string[] =>
  styles
    .filter(({ file }) => file !== SCALE)
    .flatMap(({ file, lines }) =>
      lines.flatMap((line, at) => {
        const value = line.match(new RegExp(`^\\s*${property}: (.+);`))?.[1]
        return value === undefined || allowed.test(value) ? [] : [`${file}:${at + 1} ${value}`]
      }),
    )

test('every style sheet uses font sizes and weights from the scale', () => {
  expect(strays('font-size', /^(var\(--l-fs-[\w]+\)|0|0\.93em|100%|inherit)$/)).toEqual([])
  expect(strays('font-weight', /^var\(--l-(regular|medium|strong)\)$/)).toEqual([])
})

test('every style sheet uses radii and shadows from the scale', () => {
  expect(strays('border-radius', /^((var\(--l-r-[\w]+\)|0|50%|inherit) ?)+$/)).toEqual([])
  expect(
    strays('box-shadow', /^(none|var\(--l-shadow-\d\)|inset 0 0 0 1px var\(--l-[\w-]+\))$/),
  ).toEqual([])
})

test('every style sheet uses colours from the tokens', () => {
  const own = styles
    .filter(({ file }) => file !== SCALE)
    .flatMap(({ file, lines }) =>
      lines
        .filter((line) => /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(/i.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
  expect(own).toEqual([])
})

test('every token that the panel uses exists', () => {
  const declared = new Set([
    ...Object.keys(tokens(DEFAULT_SEED, 'light')).map((name) => `--l-${name}`),
    ...styles.flatMap(({ lines }) =>
      lines.flatMap((line) => line.match(/^\s*(--l-[\w-]+):/)?.[1] ?? []),
    ),
  ])
  const unknown = globSync('**/*.{css,ts,tsx}', { cwd: root }).flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/var\((--l-[\w-]+)\)/g)]
      .filter(([, name]) => !declared.has(name ?? ''))
      .map(([, name]) => `${file}: ${name}`),
  )
  expect(unknown).toEqual([])
})
