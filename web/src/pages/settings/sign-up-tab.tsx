import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { SignUpSettings } from './sign-up-settings.tsx'
import { t } from './words.ts'

/** Who may sign up, and what is required of them. */
export default function SignUpTab() {
  const settings = useQuery(q('GET /api/settings/signup'))
  return (
    <Loaded query={settings} lines={8}>
      {(saved) => (
        <SaveForm label={t.signUp} submitText={t.saveSettings}>
          <SignUpSettings saved={saved} />
        </SaveForm>
      )}
    </Loaded>
  )
}
