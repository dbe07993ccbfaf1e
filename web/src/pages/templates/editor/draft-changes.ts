import { isSame } from '../../../ui/form/changes.ts'
import { isRecord, type Path } from './draft.ts'
import { t } from './words.ts'

/** The form's names for paths in a document, in its order. */
const places = (): readonly (readonly [string, string])[] => [
  ['name', t.name],
  ['author', t.author],
  ['description', t.description],
  ['tags', t.tags],
  ['icon', t.icon],
  ['runtime/images', t.images],
  ['runtime/startup', t.start],
  ['runtime/dataPath', t.dataFolder],
  ['runtime/temporaryMb', t.temporaryFiles],
  ['runtime/environment', t.environment],
  ['runtime/capabilities', t.capabilities],
  ['runtime/writableRoot', t.writableRoot],
  ['runtime/tty', t.terminal],
  ['runtime/proofOfLife', t.readiness],
  ['runtime/stop', t.stop],
  ['runtime/limits/memoryMb', t.memory],
  ['runtime/limits/cpuPercent', t.cpu],
  ['runtime/limits/diskMb', t.disk],
  ['runtime/port', t.primaryPort],
  ['runtime/extraPorts', t.morePorts],
  ['variables', t.variables],
  ['runtime/install', t.installation],
  ['runtime/configFiles', t.files],
  ['fileDenylist', t.files],
  ['backupIgnore', t.files],
]

/** A cleared field removes the value, which is equivalent to an empty one. */
const isNothing = (value: unknown): boolean =>
  value === undefined || ['""', '[]', '{}'].includes(JSON.stringify(value))

/** The paths at which two documents differ; a list differs as a whole. */
function differences(one: unknown, other: unknown, path: Path = []): readonly Path[] {
  if (isSame(one, other) || (isNothing(one) && isNothing(other))) return []
  if (!isRecord(one) || !isRecord(other)) return [path]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) => differences(one[name], other[name], [...path, name]))
}

/**
 * The differences between a saved document and a draft, by the form's names, or by path for what only
 * the source has.
 * @param unread paths whose fields show something that is not in the draft
 */
export function changesOf(
  saved: unknown,
  draft: unknown,
  unread: readonly string[] = [],
): readonly string[] {
  const changed = [...differences(saved, draft).map((path) => path.join('/')), ...unread]
  const known = places()
  const isIn = (place: string, at: string): boolean => at === place || at.startsWith(`${place}/`)
  const named = known.filter(([place]) => changed.some((at) => isIn(place, at) || isIn(at, place)))
  const other = changed.filter((at) => !named.some(([place]) => isIn(place, at) || isIn(at, place)))
  return [
    ...new Set([
      ...named.map(([, label]) => label),
      ...other.map((at) => at.replaceAll('/', ' › ') || t.source),
    ]),
  ]
}
