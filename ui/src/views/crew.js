export default { key: 'crew', label: 'Crew', icon: 'crew', when: () => false, mount() {} };
