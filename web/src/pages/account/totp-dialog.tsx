import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { TotpSetUp } from './totp-set-up.tsx'
import { t } from './words.ts'

interface TotpDialogProps {
  onClose: () => void
  onDone: (recoveryCodes: readonly string[]) => void
}

/** Sets up an authenticator on the account page. */
export const TotpDialog = ({ onClose, onDone }: TotpDialogProps) => (
  <Dialog fleeting title={t.setUpAuthenticator} opened onClose={onClose}>
    <TotpSetUp onDone={onDone} />
  </Dialog>
)
