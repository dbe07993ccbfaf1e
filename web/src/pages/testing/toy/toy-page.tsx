/** A page that no panel has. */
export default function ToyPage() {
  return <p>All toys</p>
}
