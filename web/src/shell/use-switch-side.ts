import { useNavigate } from '@tanstack/react-router'
import { type Side, useSide, useStartOf } from './side.ts'

/** Changes the side and opens its first page. */
export function useSwitchSide(): (side: Side) => void {
  const navigate = useNavigate()
  const [, setSide] = useSide()
  const startOf = useStartOf()
  return (side) => {
    setSide(side)
    void navigate(startOf(side))
  }
}
