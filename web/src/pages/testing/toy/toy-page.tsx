/** A page for tests only. */
export default function ToyPage() {
  return <p>All toys</p>
}
