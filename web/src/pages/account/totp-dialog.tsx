import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { TotpSetUp } from './totp-set-up.tsx'

interface TotpDialogProps {
  onClose: () => void
  onDone: (recoveryCodes: readonly string[]) => void
}

/** Set-up of an authenticator on the page of the account. */
export const TotpDialog = ({ onClose, onDone }: TotpDialogProps) => (
  <Dialog title="Set up an authenticator" opened onClose={onClose}>
    <TotpSetUp onDone={onDone} />
  </Dialog>
)
