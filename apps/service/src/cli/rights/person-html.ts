type Value = string | number | boolean | null | readonly Value[] | Members;
interface Members {
  readonly [name: string]: Value;
}

/** A number, with its text as it is stored. */
class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const STYLE = `
body { font: 11pt/1.4 sans-serif; margin: 2rem auto; max-width: 50rem; padding: 0 1rem; overflow-wrap: anywhere; }
h2 { border-bottom: 1px solid; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ccc; padding: 0.2rem 0.5rem 0.2rem 0; text-align: start; vertical-align: top; }
th { font-weight: normal; color: #555; width: 14rem; }
section { border-inline-start: 3px solid #ccc; margin: 0.5rem 0; padding-inline-start: 0.8rem; }
@page { margin: 18mm; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } tr { break-inside: avoid; } }`;

const SECTIONS: Readonly<Record<string, string>> = {
  user: 'Person',
  user_infos: 'Contact details',
  insurances: 'Insurance',
  orders: 'Lab orders and results',
  mindfulness_minutes: 'Mindfulness minutes',
  waiting_messages: 'Laboratory messages that wait for their patient',
  search: 'What the search knows',
  emergency_accesses: 'Emergency accesses',
  read_by: 'Who was shown any of it',
};

/**
 * One page with everything in the JSON document of a person, which a browser shows and prints. It loads nothing.
 *
 * @param json of `personJson`
 */
export function personHtml(json: string): string {
  const asWritten = (_name: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? new Written(context?.source ?? String(value)) : value;
  const person = JSON.parse(json, asWritten) as Members;
  const { name, birthDate } = readIdentity(person);
  const patient = [
    ['Name', name],
    ['Date of birth', birthDate],
    ['User ID', person['user_id']],
    ['Your ID', toMembers(person['user'])['client_user_id']],
    ['Exported', person['exported_at']],
  ] as const;
  const header = patient.flatMap(([label, value]) =>
    value === undefined || value === null ? [] : [row(label, value)],
  );
  const sections = Object.entries(SECTIONS).flatMap(([member, title]) => [
    `<h2>${title}</h2>`,
    block(person[member] ?? null),
  ]);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Patient data</title>
<style>${STYLE}
</style>
</head>
<body>
<h1 dir="auto">All that is stored of ${escape(name)}</h1>
<table>${header.join('')}</table>
${sections.join('\n')}
</body>
</html>
`;
}

function readIdentity(person: Members): { readonly name: string; readonly birthDate: Value } {
  const infos = person['user_infos'];
  const newest = Array.isArray(infos) ? (infos as readonly Value[]).at(-1) : undefined;
  const info = toMembers(toMembers(newest)['info']);
  const user = toMembers(person['user']);
  const id = user['client_user_id'];
  const names = [info['first_name'], info['last_name']].filter((part) => typeof part === 'string');
  return {
    name: names.join(' ') || (typeof id === 'string' ? id : 'a patient'),
    birthDate: info['dob'] ?? toMembers(user['fallback_birth_date'])['value'] ?? null,
  };
}

function toMembers(value: Value | undefined): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : {};
}

/** Members without a value are left out. */
function block(value: Value): string {
  if (isEmpty(value)) {
    return '<p>None.</p>';
  }
  if (Array.isArray(value)) {
    return (value as readonly Value[]).map((one) => `<section>${block(one)}</section>`).join('');
  }
  if (typeof value === 'object' && !(value instanceof Written)) {
    const members = Object.entries(value as Members).filter(([, one]) => !isEmpty(one));
    return `<table>${members.map(([name, one]) => row(name.replaceAll('_', ' '), one)).join('')}</table>`;
  }
  return `<span dir="auto">${escape(value instanceof Written ? value.text : String(value))}</span>`;
}

function row(label: string, value: Value): string {
  return `<tr><th scope="row">${escape(label)}</th><td>${block(value)}</td></tr>`;
}

function isEmpty(value: Value): value is null {
  return (
    value === null ||
    (Array.isArray(value) && value.length === 0) ||
    (typeof value === 'object' && !(value instanceof Written) && Object.keys(value).length === 0)
  );
}

function escape(text: string): string {
  return text.replace(/[&<>"]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}
