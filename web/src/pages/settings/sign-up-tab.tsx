import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { SignUpSettings } from './sign-up-settings.tsx'

/** Who may sign up, and what is required of them. */
export default function SignUpTab() {
  const settings = useQuery(q('GET /api/settings/signup'))
  return (
    <Loaded query={settings} lines={8}>
      {(saved) => <SignUpSettings key={JSON.stringify(saved)} saved={saved} />}
    </Loaded>
  )
}
