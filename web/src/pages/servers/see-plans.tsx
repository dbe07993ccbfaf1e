import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { t } from './words.ts'

/** Links a customer without a server to the store, if something is for sale. */
export function SeePlans() {
  const store = useQuery({ ...q('GET /api/me/store', { query: {} }), staleTime: 60_000 })
  if (!store.data?.items.length) return null
  return (
    <LinkButton to={paths.store} search={{}}>
      {t.seePlans}
    </LinkButton>
  )
}
