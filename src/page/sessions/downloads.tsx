/** A file in each of its formats. */
export function Downloads({
  links,
  of,
}: {
  readonly links: Readonly<Record<string, string>>;
  readonly of: string;
}) {
  return (
    <span class="downloads">
      {Object.entries(links).map(([format, href]) => (
        <a key={format} href={href} download>
          {format}
          <span class="hidden"> of {of}</span>
        </a>
      ))}
    </span>
  );
}
