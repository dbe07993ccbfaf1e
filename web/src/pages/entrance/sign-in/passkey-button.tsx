import KeyRound from 'lucide-react/icons/key-round'
import { Button, type ButtonSize } from '../../../ui/buttons/button.tsx'
import { whyNoPasskeys } from './passkey.ts'

interface PasskeyButtonProps {
  size?: ButtonSize
  /** In a dialog: what is focused when it opens. */
  first?: boolean
  /** What is done with the passkey, and whether it is being done. */
  use: { mutate: () => void; isPending: boolean }
}

/** Has the browser ask for a passkey, or says that it cannot. */
export function PasskeyButton({ use, size = 'medium', first }: PasskeyButtonProps) {
  return (
    <Button
      data-autofocus={first}
      size={size}
      kind="primary"
      full
      icon={<KeyRound />}
      busy={use.isPending}
      disabledBecause={whyNoPasskeys()}
      onClick={() => use.mutate()}
    >
      Use a passkey
    </Button>
  )
}
