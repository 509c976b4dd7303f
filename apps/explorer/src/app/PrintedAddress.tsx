import { useEffect, useRef } from 'preact/hooks'

/** The address of the page on paper. It is written when printing begins: a filter changes it without drawing the frame anew. */
export function PrintedAddress() {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const write = () => {
      if (line.current) line.current.textContent = location.href
    }
    const printing = matchMedia('print')
    printing.addEventListener('change', write)
    addEventListener('beforeprint', write)
    return () => {
      printing.removeEventListener('change', write)
      removeEventListener('beforeprint', write)
    }
  }, [])
  return <p class="printed" ref={line} />
}
