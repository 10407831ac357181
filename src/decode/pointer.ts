/** One JSON Pointer (RFC 6901) made of keys and indexes. */
export function pointerOf(segments: readonly (string | number)[]): string {
  let pointer = '';
  for (const segment of segments) {
    pointer += `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return pointer;
}

/** The keys and indexes, as text, that a JSON Pointer is made of. */
export function segmentsOf(pointer: string): readonly string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a place is called in a message: `address.city`, `items.2.sku`. */
export function parameterNameOf(segments: readonly (string | number)[]): string {
  return segments.join('.');
}
