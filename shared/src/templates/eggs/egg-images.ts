import type { DocumentNote } from '../checked-document.ts'
import type { TemplateRuntime } from '../document.ts'
import { whyNotImageReference } from '../document.ts'
import { type Loose, lineOf, objectOf, own, textOf } from './loose.ts'

type Images = TemplateRuntime['images']

/**
 * The images of an egg, the default first: `docker_images` as a map or a list, else `images`, else
 * `image` of the first version. Strips spaces and the "never pull" mark; leaves out names that no
 * registry can have, with a warning.
 */
export function imagesOf(egg: Loose, warnings: DocumentNote[]): Images {
  const images: Images = []
  const names = new Set<string>()
  for (const [key, value] of candidates(egg)) {
    const path = `docker_images.${key.slice(0, 60)}`
    const given = textOf(value) ?? ''
    const reference = given.trim().replace(/^~/, '')
    if (reference !== given)
      warnings.push({ path, detail: 'Spaces or a leading ~ were taken off the image name' })
    const fault = whyNotImageReference(reference)
    const name = lineOf(key, 128) || reference.slice(0, 128)
    if (fault || names.has(name)) {
      warnings.push({
        path,
        detail: `The image was left out: ${fault ?? 'another one has its name'}`,
      })
      continue
    }
    names.add(name)
    images.push({ name, source: { kind: 'registry', reference } })
  }
  return images.slice(0, 100)
}

function candidates(egg: Loose): [string, unknown][] {
  const given = own(egg, 'docker_images') ?? own(egg, 'images')
  const map = objectOf(given)
  if (map && Object.keys(map).length > 0) return Object.entries(map)
  const list = Array.isArray(given) ? given : [own(egg, 'image')]
  return list.flatMap((item): [string, unknown][] => {
    const text = textOf(item)?.trim()
    return text && !text.startsWith('data:') ? [[text, text]] : []
  })
}
