/** A town people live in; its streets are invented, its telephone numbers reserved for fiction. */
export interface Place {
  readonly city: string;
  /** ISO 3166-1, two letters. */
  readonly country: string;
  readonly state: string;
  readonly zip: string;
  readonly zone: string;
  /** `#` stands for a digit. US: 555-0100 to 0199; UK and Australia: numbers their offices keep for drama. */
  readonly phone: string;
  readonly weight: number;
}

const AU = '+61491570156';

/** Of the zones that are not in the United States. */
const countries: Readonly<Record<string, string>> = {
  'America/Toronto': 'CA',
  'America/St_Johns': 'CA',
  'America/Vancouver': 'CA',
  'Europe/London': 'GB',
  'Australia/Sydney': 'AU',
  'Australia/Lord_Howe': 'AU',
  'Europe/Berlin': 'DE',
  'Europe/Madrid': 'ES',
  'America/Sao_Paulo': 'BR',
  'America/Mexico_City': 'MX',
  'Africa/Cairo': 'EG',
  'Africa/Lagos': 'NG',
  'Asia/Kolkata': 'IN',
  'Asia/Kathmandu': 'NP',
  'Asia/Tokyo': 'JP',
  'Pacific/Auckland': 'NZ',
};

export const places: readonly Place[] = [
  place('New York', 'NY', '100##', 'America/New_York', '+1212', 12),
  place('Boston', 'MA', '021##', 'America/New_York', '+1617', 6),
  place('Atlanta', 'GA', '303##', 'America/New_York', '+1404', 6),
  place('Miami', 'FL', '331##', 'America/New_York', '+1305', 6),
  place('Detroit', 'MI', '482##', 'America/Detroit', '+1313', 4),
  place('Chicago', 'IL', '606##', 'America/Chicago', '+1312', 9),
  place('Houston', 'TX', '770##', 'America/Chicago', '+1713', 8),
  place('Saint Paul', 'MN', '551##', 'America/Chicago', '+1651', 4),
  place('Denver', 'CO', '802##', 'America/Denver', '+1303', 5),
  place('Boise', 'ID', '837##', 'America/Boise', '+1208', 2),
  place('Phoenix', 'AZ', '850##', 'America/Phoenix', '+1602', 5),
  place('Los Angeles', 'CA', '900##', 'America/Los_Angeles', '+1213', 10),
  place('Seattle', 'WA', '981##', 'America/Los_Angeles', '+1206', 5),
  place('Anchorage', 'AK', '995##', 'America/Anchorage', '+1907', 1),
  place('Honolulu', 'HI', '968##', 'Pacific/Honolulu', '+1808', 2),
  place('Toronto', 'ON', 'M5V #A#', 'America/Toronto', '+1416', 3),
  place("St. John's", 'NL', 'A1C #X#', 'America/St_Johns', '+1709', 1),
  place('Vancouver', 'BC', 'V6B #Z#', 'America/Vancouver', '+1604', 2),
  {
    ...place('London', 'Greater London', 'N1 #ZZ', 'Europe/London', '', 3),
    phone: '+447700900###',
  },
  { ...place('Sydney', 'NSW', '20##', 'Australia/Sydney', '', 2), phone: AU },
  { ...place('Lord Howe Island', 'NSW', '2898', 'Australia/Lord_Howe', '', 0.2), phone: AU },
  // People registered with the clinic who live abroad keep an American number.
  place('Berlin', 'Berlin', '101##', 'Europe/Berlin', '+1202', 1),
  place('Madrid', 'Madrid', '280##', 'Europe/Madrid', '+1202', 1),
  place('São Paulo', 'SP', '010##-000', 'America/Sao_Paulo', '+1202', 1),
  place('Ciudad de México', 'CDMX', '060##', 'America/Mexico_City', '+1202', 1),
  place('القاهرة', 'القاهرة', '115##', 'Africa/Cairo', '+1202', 0.5),
  place('Lagos', 'Lagos', '1012##', 'Africa/Lagos', '+1202', 0.5),
  place('Mumbai', 'Maharashtra', '4000##', 'Asia/Kolkata', '+1202', 0.5),
  place('Kathmandu', 'Bagmati', '446##', 'Asia/Kathmandu', '+1202', 0.3),
  place('東京', '東京都', '100-00##', 'Asia/Tokyo', '+1202', 0.5),
  place('Auckland', 'Auckland', '10##', 'Pacific/Auckland', '+1202', 0.5),
];

export const streets: readonly string[] = [
  'Larkspur Hollow',
  'Quillfeather Lane',
  'Old Tannery Row',
  'Marzipan Court',
  'Cinderwick Avenue',
  'Thistledown Terrace',
  'Pebblegate Street',
  'Lanternfish Way',
  'Copperkettle Road',
  'Hazelmoth Drive',
  'Saltmarsh Crescent',
  'Windfall Orchard Road',
  'Foxglove Steps',
  'Tumbledown Square',
  'Nettlecombe Place',
  'Juniper Loom Street',
];

export const secondLines: readonly string[] = ['Apt 4B', 'Unit 12', 'Floor 3', 'Suite 210', '#7'];

function place(
  city: string,
  state: string,
  zip: string,
  zone: string,
  code: string,
  weight: number,
): Place {
  const country = countries[zone] ?? 'US';
  return { city, country, state, zip, zone, phone: `${code}55501##`, weight };
}
