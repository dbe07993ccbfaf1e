import { expect, test } from 'vitest'
import { builtInTemplates } from './builtin/all.ts'
import { registriesOf, registryOf, whyNoImage } from './registries.ts'

test('a reference names its registry, or means Docker Hub', () => {
  const of = ['postgres:17', 'library/postgres', 'ghcr.io/a/b:1', 'localhost/x', 'lan:5000/x/y:2']
  expect(of.map(registryOf)).toEqual(['docker.io', 'docker.io', 'ghcr.io', 'localhost', 'lan:5000'])
})

test('a built-in template that needs a registry names it in its description', () => {
  for (const { document } of builtInTemplates())
    for (const registry of registriesOf(document)) expect(document.description).toContain(registry)
})

test('warns only when no node reaches the registry', () => {
  const node = (name: string, state: 'ok' | 'warning') => ({
    name,
    preflight: [{ id: 'registry:docker.io' as const, state }],
  })
  const [near, far] = [node('near', 'ok'), node('far', 'warning')]
  expect(whyNoImage(['docker.io'], [far])).toContain('far cannot reach docker.io')
  expect(whyNoImage(['docker.io'], [far, node('other', 'warning')])).toContain('No node')
  expect(whyNoImage(['docker.io'], [far], true)).not.toContain('far')
  expect(whyNoImage(['docker.io'], [near, far])).toBeUndefined()
  // No node has reported whether it reaches it.
  expect(whyNoImage(['registry.lan:5000'], [far])).toBeUndefined()
  expect(whyNoImage([], [far])).toBeUndefined()
  expect(whyNoImage(['docker.io'], [])).toBeUndefined()
})
