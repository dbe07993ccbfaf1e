import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { SignUpSettings } from './sign-up-settings.tsx'

/** Who may sign up, and what is required of them. */
export default function SignUpTab() {
  const settings = useQuery(q('GET /api/settings/signup'))
  return (
    <Loaded query={settings} lines={8}>
      {(saved) => (
        <SaveForm label="Sign-up" submitText="Save settings">
          <SignUpSettings key={JSON.stringify(saved)} saved={saved} />
        </SaveForm>
      )}
    </Loaded>
  )
}
