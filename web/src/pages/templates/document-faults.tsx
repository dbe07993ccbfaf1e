import { ApiError } from '../../api.ts'
import { Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** Every error of a refused document, with its location. */
export function DocumentFaults({ refusal }: { refusal: unknown }) {
  const faults = refusal instanceof ApiError ? (refusal.problem.errors ?? []) : []
  if (faults.length === 0) return null
  return (
    <ul aria-label={t.faults}>
      {faults.map(({ pointer, detail }) => (
        <li key={`${pointer} ${detail}`}>
          <Text mono>{pointer || '/'}</Text> <Text>{detail}</Text>
        </li>
      ))}
    </ul>
  )
}
