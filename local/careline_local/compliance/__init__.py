"""The record of processing activities (GDPR article 30) and a draft of the impact assessment (article 35), as far as an
installation knows them from its settings; what only the hospital knows is marked."""
